-- wrk -t1 -c16 -d10s -s docs/load/flood.lua http://localhost:8080
-- Asks for what cannot be: the whole cluster, in a time in which some of it is reserved. TOKEN, CLUSTER, PES (all of its PEs),
-- FROM and TO (instants such as 2030-01-01T00:00:00Z, with reservations between them) in the environment
local body = '{"cluster":"' .. os.getenv("CLUSTER") .. '","terms":{"duration":"PT1H","pes":' .. os.getenv("PES")
  .. ',"readyTime":"' .. os.getenv("FROM") .. '","deadline":"' .. os.getenv("TO") .. '"}}'
wrk.method = "POST"
wrk.path = "/api/v1/reservations"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
wrk.headers["Content-Type"] = "application/json"
wrk.body = body
