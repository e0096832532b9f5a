#!/usr/bin/env bash
# What a feed costs:
#
#   docs/load/feed.sh target/berth.jar [RESERVATIONS]
#
# starts the jar with a new data directory, reserves RESERVATIONS (1,000) runs for one account, and reads its feed 220 times, one after the
# other: as a whole, compressed, and with the tag that it has already. Of the last 200 it tells the median and the 95th percentile.
set -euo pipefail

jar=${1:?the jar to ask}
reservations=${2:-1000}
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
work=$(mktemp -d)
service=
trap '[[ -z $service ]] || { kill "$service"; wait "$service" || true; }; rm -rf "$work"' EXIT

port=$((20000 + RANDOM % 10000))
while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((20000 + RANDOM % 10000)); done
url=http://127.0.0.1:$port
env -u JDK_JAVA_OPTIONS BERTH_DATA_DIR="$work/data" BERTH_URL="$url" "${bin}java" -jar "$jar" --server.port=$port >"$work/log" 2>&1 &
service=$!
until curl -sf "$url/actuator/health/readiness" >/dev/null; do
  kill -0 "$service" || { cat "$work/log"; exit 1; }
  sleep 0.2
done

header=(-H "Authorization: Bearer $(cat "$work/data/admin.token")" -H 'Content-Type: application/json')
curl -sf "${header[@]}" "$url/api/v1/clusters" -d '{"id":"feed","pes":4096}' >/dev/null
for ((i = 1; i <= reservations; i++)); do
  ready=$(date -u -d "+$((24 + i % 1000)) hours" +%FT%TZ)
  echo "url = \"$url/api/v1/reservations\""
  echo "data = \"{\\\"cluster\\\":\\\"feed\\\",\\\"name\\\":\\\"run $i\\\",\\\"project\\\":\\\"climate\\\",\\\"terms\\\":{\\\"readyTime\\\":\\\"$ready\\\",\\\"duration\\\":\\\"PT2H\\\",\\\"pes\\\":16}}\""
  echo 'output = /dev/null'
  ((i == reservations)) || echo next
done >"$work/reserve"
# options go with each of them
sed -i "s|^url|header = \"${header[1]}\"\nheader = \"${header[3]}\"\nfail\nurl|" "$work/reserve"
curl -s -K "$work/reserve"
path=$(curl -sf "${header[@]}" "$url/api/v1/accounts/admin/feeds" -d '{}' | sed 's/.*"path":"\([^"]*\)".*/\1/')
tag=$(curl -sfI "$url$path" | tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')
[[ $(curl -sf "$url$path" | grep -c BEGIN:VEVENT) == "$reservations" ]]

# of curl's seconds of 220 calls
told() {
  for _ in {1..220}; do curl -sf -o "$work/answer" -w '%{time_starttransfer} %{time_total} %{size_download} %{http_code}\n' "${@:2}" "$url$path"; done |
    tail -n 200 | sort -k2n | awk -v what="$1" '{ total[NR] = $2 } END {
      printf "%-12s %s  %8d bytes  median %6.1f ms  95%% %6.1f ms\n", what, $4, $3, total[100] * 1000, total[190] * 1000 }'
}
told whole
told compressed -H 'Accept-Encoding: gzip'
told unchanged -H "If-None-Match: $tag"
