-- wrk -t1 -c16 -d5s -s src/test/load/probe.lua http://localhost:8080
-- Environment: TOKEN, and CLUSTER (one or several, separated by commas; the script takes them in turn)
local sent = 0
local clusters = {}
for cluster in os.getenv("CLUSTER"):gmatch("[^,]+") do clusters[#clusters + 1] = cluster end
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
wrk.headers["Content-Type"] = "application/json"

function request()
  sent = sent + 1
  return wrk.format("POST", "/api/v1/probes", nil,
    '{"terms":{"duration":"PT2H","pes":32},"clusters":["' .. clusters[sent % #clusters + 1] .. '"]}')
end
