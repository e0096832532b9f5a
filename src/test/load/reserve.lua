-- wrk -t1 -c16 -d5s -s src/test/load/reserve.lua http://localhost:8080
-- Environment: TOKEN; CLUSTER (one or several, separated by commas, which the script takes in turn; large enough to reject nothing);
-- RUN (another word for each run); optionally PROJECT, for the reservations. The script reserves a day ahead, so that no run starts.
local sent = 0
local clusters = {}
local project = os.getenv("PROJECT")
local filed = project and project ~= "" and '"project":"' .. project .. '",' or ""
for cluster in os.getenv("CLUSTER"):gmatch("[^,]+") do clusters[#clusters + 1] = cluster end
local headers = { ["Authorization"] = "Bearer " .. os.getenv("TOKEN"), ["Content-Type"] = "application/json" }

function request()
  sent = sent + 1
  headers["Idempotency-Key"] = os.getenv("RUN") .. "-" .. sent
  return wrk.format("POST", "/api/v1/reservations", headers,
    '{' .. filed .. '"cluster":"' .. clusters[sent % #clusters + 1] .. '","terms":{"duration":"PT1M","pes":1,"readyTime":"'
      .. os.date("!%Y-%m-%dT%H:%M:%SZ", os.time() + 86400) .. '"}}')
end
