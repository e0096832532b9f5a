-- The versions of a cluster of another Berth go on if it is removed and its name is used again.
create table removed_peer (
    id text primary key,
    version integer not null
);
comment on table removed_peer is 'clusters of other Berths that were removed';
comment on column removed_peer.version is 'the last version under this name';
