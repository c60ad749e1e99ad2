-- Requests the paths of a file (first argument), one at a time, and prints
-- quantiles of the time from each request to its response as a line of JSON.
-- (Those of wrk are corrected for requests that a slow response has delayed.)

local ffi = require("ffi")

ffi.cdef([[
  typedef struct { long tv_sec; long tv_nsec; } timespec;
  int clock_gettime(int clock, timespec *time);
]])

local CLOCK_MONOTONIC = 1
local PERMILLES = {
  0, 10, 50, 100, 250, 500, 750, 900, 950, 990, 995, 999, 999.9, 1000,
}

local now = ffi.new("timespec")
local requests = {}
local last = 0
local start = 0
local thread

times = {}

local function clock()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, now)
  return tonumber(now.tv_sec) + tonumber(now.tv_nsec) / 1e9
end

function setup(it)
  thread = it
end

function init(args)
  for path in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", path)
  end
end

function request()
  last = last % #requests + 1
  start = clock()
  return requests[last]
end

function response()
  times[#times + 1] = clock() - start
end

function done()
  local sorted = thread:get("times")
  table.sort(sorted)
  local quantiles = {}
  for i, permille in ipairs(PERMILLES) do
    local rank = math.floor((#sorted - 1) * permille / 1000 + 0.5) + 1
    quantiles[i] = string.format("[%g,%g]", permille / 1000, sorted[rank])
  end
  print("service [" .. table.concat(quantiles, ",") .. "]")
end
