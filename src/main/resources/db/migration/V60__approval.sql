alter table project add column approval text;
comment on column project.approval is 'which requests its owners must approve, as JSON; null: none';

drop index reservation_live;
create index reservation_live on reservation (cluster) where state in ('HELD', 'PENDING', 'CONFIRMED', 'RUNNING');

drop index event_accepted;
create index event_accepted on event (at) where type in ('HELD', 'APPROVAL_ASKED', 'CONFIRMED') and version = 0;
