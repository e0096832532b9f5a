-- Members of a project list its series, and hear of what happens to all that is filed under it.

alter table series add project text;
comment on column series.project is 'what its content has';
update series set project = content::jsonb #>> '{origin,project}';
create index series_of_project on series (project, id) where project is not null;

comment on column event.project is 'of the reservation, or of the request for one';
update event set project = request.project from request where request.id = event.request and request.project is not null;
create index event_of_project on event (project, cluster, sequence) where project is not null;

create index reservation_of_project on reservation (project, id) where project is not null;

alter table webhook add project text;
comment on column webhook.project is 'the only one that it tells of; null: whatever its owner hears of';
