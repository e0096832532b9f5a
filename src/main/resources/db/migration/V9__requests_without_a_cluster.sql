-- Requests without a cluster may be collected, too.

alter table request
    alter cluster drop not null,
    add preference text,
    add check ((cluster is null) = (preference is not null));
comment on column request.cluster is 'null: whichever; the reservation of the same id tells which it became';
comment on column request.preference is 'which slot is liked best: measure=weight with commas between';
create index request_pending_anywhere on request (id) where state = 'PENDING' and cluster is null;
