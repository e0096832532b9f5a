-- Owners read the events of their reservations, and of the requests that were collected for some.

alter table event add request_owner text;
comment on column event.request_owner is 'whose request it was; of a reservation the owner says so';
update event set request_owner = request.owner from request where request.id = event.request;

create index event_of_owner on event (coalesce(owner, request_owner), cluster, sequence)
    where coalesce(owner, request_owner) is not null;
