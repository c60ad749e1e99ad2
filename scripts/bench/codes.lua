-- Requests the CEPs of a file (first argument) in a cycle: one by one, or in
-- batches of a number (second argument, 1 for single CEPs). The requests are
-- built in advance, so that building them does not affect the measurement.

local requests = {}
local last = 0

local function build(codes)
  if #codes == 1 then return wrk.format("GET", "/cep/" .. codes[1]) end
  local headers = { ["Content-Type"] = "application/json" }
  local body = '["' .. table.concat(codes, '","') .. '"]'
  return wrk.format("POST", "/ceps", headers, body)
end

function init(args)
  local size = tonumber(args[2])
  local codes = {}
  for code in io.lines(args[1]) do
    codes[#codes + 1] = code
    if #codes == size then
      requests[#requests + 1] = build(codes)
      codes = {}
    end
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end
