-- The request that wrk repeats, from the environment, and its result as one
-- line: requests, seconds, failures, and the 50th and 99th percentile in ms.
local key, list = os.getenv("KEY"), os.getenv("LIST")
if key and key ~= "" then wrk.headers["Authorization"] = "Bearer " .. key end
if list and list ~= "" then
   wrk.method = "POST"
   wrk.headers["Content-Type"] = "application/json"
   local file = assert(io.open(list))
   wrk.body = file:read("*a")
   file:close()
end

function done(summary, latency)
   local e = summary.errors
   io.write(string.format("result %d %f %d %f %f\n", summary.requests, summary.duration / 1e6,
      e.status + e.connect + e.read + e.write + e.timeout, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
