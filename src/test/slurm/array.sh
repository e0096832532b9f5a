#!/usr/bin/env bash
# Proves that a Slurm array, of which one task is requeued and the node of another crashes, ends in the files that one machine
# writes, byte for byte: with a Slurm of its own (up.sh), three shards, and the job that reads what they have kept.
#
#   src/test/slurm/array.sh target/berth.jar                          # experiment all --quick
#   src/test/slurm/array.sh target/berth.jar experiment 001 --quick   # a study or the advisor, without --out
#
# PORT, as in up.sh, may be given. Wants Slurm and MUNGE; without them it says so, and does nothing. What was written is left
# behind if it differs.
set -euo pipefail
jar=$(realpath "${1:?which jar}")
shift
(($#)) || set -- experiment all --quick
here=$(cd "$(dirname "$0")" && pwd)
script=$(realpath "$here/../../../docs/slurm/experiment.sbatch")
work=$(mktemp -d)
chmod 755 "$work"
unset "${!SLURM_@}" "${!SBATCH_@}" # of a job that this may be part of
export DIR=$work/slurm BERTH_JAR=$jar
NODES=4 CPUS=1 "$here/up.sh" || { [[ $? == 77 ]] && { rm -r "$work"; exit 0; }; exit 1; }
trap '"$here/down.sh"' EXIT
. "$DIR/env"

fail() {
  echo "FAILED: $1; see $work" >&2
  cp -r "$DIR/log" "$work/slurm-logs"
  exit 1
}
# Waits up to half an hour for a command to succeed.
await() {
  local what=$1 deadline=$((SECONDS + 1800))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || fail "no $what within half an hour"
    sleep 0.5
  done
}
runs_of() { cat "$work"/array/runs/*."$1"-of-3.jsonl 2>/dev/null | grep -c '^{"run"' || true; }
has_begun() { (($(runs_of "$1") >= 3)); }
has_ended() { [[ -z $(squeue -h) ]]; }
field() { scontrol show job "$1" | grep -oP "(?<![A-Za-z])$2=\K\S+" | head -n 1; }

cd "$work"
array=$(sbatch --parsable --cpus-per-task=1 --array=0-2 "$script" "$@" --out "$work/array")
last=$(sbatch --parsable --cpus-per-task=1 --dependency=afterany:"$array" "$script" "$@" --out "$work/array")
for shard in 0 1 2; do await "run of shard $shard" has_begun "$shard"; done

echo "task 0 is requeued after $(runs_of 0) runs"
scontrol requeue "${array}_0"

lock=$work/array/runs/1-of-3.lock
node=$(squeue -h -j "${array}_1" -o %N)
berth=$(grep -oP '"pid":\K\d+' "$lock")
echo "$node, the node of task 1, crashes after $(runs_of 1) runs"
kill -KILL "$(ps -o ppid= -p "$berth" | tr -d ' ')" "$berth" # the part of Slurm that watches it, and Berth
# in truth it is a process of this machine; that one would see that it is gone
sed -i 's/"host":"[^"]*"/"host":"a-machine-that-crashed"/' "$lock"
scontrol update nodename="$node" state=down reason=crashed

await "end of all jobs" has_ended
for shard in 0 1; do
  [[ $(field "${array}_$shard" Restarts) == 1 ]] || fail "task $shard was not requeued"
done
for job in "${array}_0" "${array}_1" "${array}_2" "$last"; do
  [[ $(field "$job" JobState) == COMPLETED ]] || fail "job $job is $(field "$job" JobState)"
done
grep -h "^Shard" berth-*.log
[[ ! -e $lock ]] || fail "$lock is left"
made_last=$(cat array/runs/*.jsonl | grep -c '^{"run"' || true)
for log in array/runs/*.jsonl; do
  [[ $log == *-of-3.jsonl || $(wc -l <"$log") == 1 ]] || fail "the last job made runs that the shards had left: $log"
done

"${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$jar" "$@" --out "$work/one" >one.log
diff -r --exclude=runs one array || fail "the files differ"
made=$(cat one/runs/*.jsonl | grep -c '^{"run"')
[[ $made_last == "$made" ]] || fail "the shards have kept $made_last runs, one machine $made"
files=$(find array -type f -not -path '*/runs/*' | wc -l)
((files > 1)) || fail "nothing was written"
echo "The same bytes: $files files of $made runs, by three shards and by one machine."
rm -r one array berth-*.log one.log
