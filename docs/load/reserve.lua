-- wrk -t1 -c16 -d5s -s docs/load/reserve.lua http://localhost:8080
-- TOKEN, CLUSTER (a large one, so that nothing is refused) and RUN (another word each time) in the environment
local sent = 0
local body = '{"cluster":"' .. os.getenv("CLUSTER") .. '","terms":{"duration":"PT1M","pes":1}}'

function request()
  sent = sent + 1
  return wrk.format("POST", "/api/v1/reservations", {
    ["Authorization"] = "Bearer " .. os.getenv("TOKEN"),
    ["Content-Type"] = "application/json",
    ["Idempotency-Key"] = os.getenv("RUN") .. "-" .. sent,
  }, body)
end
