-- A run may be extended by itself, step by step; a request keeps how.

alter table request
    add auto_extend_step bigint check (auto_extend_step > 0),
    add auto_extend_until timestamptz,
    add check ((auto_extend_step is null) = (auto_extend_until is null));
comment on column request.auto_extend_step is 'seconds by which the run is extended each time; null: it is not';
comment on column request.auto_extend_until is 'when the run ends at the latest';
