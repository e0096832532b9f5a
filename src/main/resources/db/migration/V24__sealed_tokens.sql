-- what lets this Berth in at others is sealed with a key beside the database; the service seals at its start what stands open
alter table peer rename column token to sealed_token;
comment on table peer is 'clusters of other Berths';
comment on column peer.sealed_token is 'lets this one in there; sealed with the key in secrets.key of the data directory';
