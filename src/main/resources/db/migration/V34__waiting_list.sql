-- Requests for which there is no room may wait for some, until an instant.

alter table request
    add wait_until timestamptz,
    add ticket bigint check (ticket > 0),
    drop constraint request_check,
    add constraint request_ends check ((state in ('PENDING', 'WAITING')) = (ended_at is null)),
    add check (ticket is null or wait_until is not null and cluster is not null),
    add check (state not in ('WAITING', 'EXPIRED') or ticket is not null);
comment on column request.wait_until is 'until when it waits where there is no room; null: it is refused then';
comment on column request.ticket is 'its number among those that wait on its cluster: the lowest is tried first; null: it has not waited';

drop index request_pending;
create index request_open on request (cluster) where state in ('PENDING', 'WAITING');
