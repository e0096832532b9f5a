#!/usr/bin/env bash
# Makes up.sh, the agent and its tests use the Slurm of another root directory, such as a Debian of another release with another version
# of Slurm. Run it as root.
#
#   debootstrap --variant=minbase --include=munge,slurmctld,slurmd,slurm-client trixie /srv/trixie
#   src/test/slurm/root.sh /srv/trixie /srv/trixie-programs
#   PATH=/srv/trixie-programs:$PATH mvn -Pslurm verify
#
# The script mounts this machine's /proc, /dev, /tmp and /etc/hosts in that root. Unmount them before you remove it.
set -euo pipefail
root=$(realpath "${1:?the root}") programs=${2:?a directory for the programs}
for shared in proc dev tmp; do
  mountpoint -q "$root/$shared" || mount --bind "/$shared" "$root/$shared"
done
cp /etc/hosts "$root/etc/hosts"
mkdir -p "$programs"
for program in munged munge slurmctld slurmd scontrol sbatch squeue sinfo scancel; do
  printf '#!/bin/sh\nexec chroot %q %s "$@"\n' "$root" "$program" >"$programs/$program"
  chmod 755 "$programs/$program"
done
echo "$("$programs/slurmctld" -V) is used with PATH=$programs:\$PATH"
