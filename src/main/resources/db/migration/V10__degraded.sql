-- Runs on several clusters of which a part has failed.

alter table coallocation add watched boolean not null default false;
comment on column coallocation.watched is 'whether its parts are still to be told if one of them fails';
update coallocation set watched = true where state = 'CONFIRMED';
alter table coallocation alter watched drop default;
create index coallocation_watched on coallocation (created_at) where watched;

alter table mirror add degraded boolean not null default false;
comment on column mirror.degraded is 'whether another reservation that belongs together with it has failed';
alter table mirror alter degraded drop default;
