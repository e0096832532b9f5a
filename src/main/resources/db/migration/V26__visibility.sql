-- What clients may see of what others have.

alter table cluster
    add visibility text not null default 'MAP';
comment on column cluster.visibility is 'what clients may see of what others have';

alter table cluster_version
    add visibility text not null default 'MAP';

alter table cluster
    alter visibility drop default;
alter table cluster_version
    alter visibility drop default;
