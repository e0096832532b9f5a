-- wrk -t1 -c16 -d5s -s docs/load/probe.lua http://localhost:8080
-- TOKEN and CLUSTER in the environment
wrk.method = "POST"
wrk.path = "/api/v1/probes"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"terms":{"duration":"PT2H","pes":32},"clusters":["' .. os.getenv("CLUSTER") .. '"]}'
