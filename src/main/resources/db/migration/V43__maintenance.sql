-- PEs that are out of service again and again. Each window is an outage, recorded before the horizon reaches it.

create table maintenance (
    id uuid primary key,
    cluster text not null references cluster,
    content text not null,
    planned int not null check (planned >= 0),
    recorded int not null check (recorded between 0 and planned),
    created_at timestamptz not null
);
comment on column maintenance.content is 'what is out of service, and when, as JSON';
comment on column maintenance.recorded is 'how many of its windows are recorded as outages, the first ones';
create index maintenance_of_cluster on maintenance (cluster, id);
create index maintenance_at_work on maintenance (id) where recorded < planned;
