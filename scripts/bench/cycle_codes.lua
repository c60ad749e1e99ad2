-- Asks for the codes of a file (first argument) one after another and over
-- again, as a proxy of so many clients (second argument) or of none. The
-- requests are made up front, so that making them takes nothing from the
-- measurement.

local requests = {}
local last = 0

-- Addresses set apart for benchmarks (RFC 2544).
local function address(client)
  return string.format("198.18.%d.%d", math.floor(client / 256), client % 256)
end

function init(args)
  local clients = tonumber(args[2])
  for code in io.lines(args[1]) do
    if clients > 0 then
      wrk.headers["X-Forwarded-For"] = address(#requests % clients)
    end
    requests[#requests + 1] = wrk.format("GET", "/cep/" .. code)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end
