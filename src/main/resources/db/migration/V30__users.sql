-- A request says who may run jobs in its reservation.
alter table request
    add users text;
comment on column request.users is 'who may run jobs in it, by their names on the machine; null: the owner';
