-- wrk -t1 -c16 -d5s -s docs/load/reserve.lua http://localhost:8080
-- TOKEN, CLUSTER (a large one, so that nothing is refused; or several with commas, which are taken in turn) and RUN (another word each time) in the environment; it reserves
-- a day ahead, so that nothing starts meanwhile; PROJECT, if it is set, is what it files under
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
