-- Requests the CEPs of a file (first argument) in a cycle, as a proxy for a
-- number of clients (second argument; 0 for no proxy). The requests are built
-- in advance, so that building them does not affect the measurement.

local requests = {}
local last = 0

-- Addresses reserved for benchmarks (RFC 2544).
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
