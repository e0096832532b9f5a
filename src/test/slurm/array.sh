#!/usr/bin/env bash
# Proves that a Slurm array writes the same files, byte for byte, as one machine, even if one task is requeued and the node of another
# crashes. It uses its own Slurm (up.sh), three shards, and a last job that reads their run logs.
#
#   src/test/slurm/array.sh target/berth-lab.jar                          # experiment all --quick
#   src/test/slurm/array.sh target/berth-lab.jar experiment 001 --quick   # a study or the advisor, without --out
#
# PORT may be given, as in up.sh. Without Slurm and MUNGE, the script prints a line and does nothing. If the files differ, the script
# leaves them in place.
set -euo pipefail
jar=$(realpath "${1:?which jar}")
shift
(($#)) || set -- experiment all --quick
here=$(cd "$(dirname "$0")" && pwd)
script=$(realpath "$here/../../../docs/slurm/experiment.sbatch")
work=$(mktemp -d)
chmod 755 "$work"
unset "${!SLURM_@}" "${!SBATCH_@}" # variables of a job that this script may be part of
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
kill -KILL "$(ps -o ppid= -p "$berth" | tr -d ' ')" "$berth" # slurmstepd, and Berth
# Berth would see that a process of this machine has ended, so let the lock name another one
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
[[ ! -e $lock ]] || fail "$lock still exists"
made_last=$(cat array/runs/*.jsonl | grep -c '^{"run"' || true)
for log in array/runs/*.jsonl; do
  [[ $log == *-of-3.jsonl || $(wc -l <"$log") == 1 ]] || fail "the last job made runs that the shards should have made: $log"
done

"${JAVA_HOME:+$JAVA_HOME/bin/}java" -jar "$jar" "$@" --out "$work/one" >one.log
diff -r --exclude=runs one array || fail "the files differ"
made=$(cat one/runs/*.jsonl | grep -c '^{"run"')
[[ $made_last == "$made" ]] || fail "the shards made $made_last runs, one machine made $made"
files=$(find array -type f -not -path '*/runs/*' | wc -l)
((files > 1)) || fail "nothing was written"
echo "Three shards and one machine wrote the same bytes: $files files of $made runs."
rm -r one array berth-*.log one.log
