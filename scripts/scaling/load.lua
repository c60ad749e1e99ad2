-- Requests the paths of a file (first argument) in a cycle, and prints a line
-- of JSON about the load. With a mean think time in milliseconds (second
-- argument, 0 for none), every connection waits before each request, for an
-- exponentially distributed time. With PORTS in the environment, each thread
-- loads the server on one of these ports.

local PERCENTILES = { 1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9 }

local requests = {}
local last = 0
local threads = 0
local ports = {}
local first

for port in (os.getenv("PORTS") or ""):gmatch("%d+") do
  ports[#ports + 1] = port
end

function setup(thread)
  thread:set("seed", threads)
  if #ports > 0 then
    local port = ports[threads % #ports + 1]
    thread.addr = wrk.lookup("127.0.0.1", port)[1]
  end
  threads = threads + 1
  first = first or thread
end

function init(args)
  local think = tonumber(args[2])
  math.randomseed(seed + 1)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
  length = #requests[1]
  -- Threads begin at different paths.
  last = math.random(#requests)
  if think > 0 then
    function delay()
      return math.floor(-think * math.log(1 - math.random()) + 0.5)
    end
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local quantiles = {}
  for i, percentile in ipairs(PERCENTILES) do
    local value = latency:percentile(percentile)
    quantiles[i] = string.format("[%g,%g]", percentile / 100, value / 1e6)
  end
  print(string.format(
    'load {"requests":%d,"requestBytes":%d,"bytes":%d,"seconds":%g,"cpu":%g,"mean":%g,"quantiles":[%s]}',
    summary.requests, first:get("length"), summary.bytes, summary.duration / 1e6, os.clock(),
    latency.mean / 1e6, table.concat(quantiles, ",")
  ))
end
