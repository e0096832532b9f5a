-- wrk -t1 -c16 -d5s -s docs/load/broker.lua http://localhost:8080
-- requests that name no cluster: as reserve.lua, which measures one cluster
-- TOKEN, SITE (a value of the label site that the clusters to choose among carry, large ones) and RUN (another word each
-- time) in the environment; ten such clusters are made by
--   for i in 0 1 2 3 4 5 6 7 8 9; do curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
--     -d '{"id":"ten'$i'","pes":1000000,"labels":{"site":"'$SITE'"}}' localhost:8080/api/v1/clusters; done
local sent = 0
local body = '{"terms":{"duration":"PT1M","pes":1,"requires":{"site":"' .. os.getenv("SITE") .. '"}}}'

function request()
  sent = sent + 1
  return wrk.format("POST", "/api/v1/reservations", {
    ["Authorization"] = "Bearer " .. os.getenv("TOKEN"),
    ["Content-Type"] = "application/json",
    ["Idempotency-Key"] = os.getenv("RUN") .. "-" .. sent,
  }, body)
end
