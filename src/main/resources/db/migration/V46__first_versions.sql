-- The versions of a reservation continue those of the request that became it.

alter table mirror add first_version integer;
comment on column mirror.first_version is 'one more than the last version of the request with this id; null if there was none';
comment on column ledger_entry.version is 'of the reservation after the event, as its owner sees it';
