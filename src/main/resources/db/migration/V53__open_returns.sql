alter table reservation add open_return boolean not null default false;
comment on column reservation.open_return is 'whether a rest of the price of time that it returned may still be credited, even if it has ended';
create index reservation_open_return on reservation (cluster) where open_return;

alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add check (kind in ('HOLD', 'RELEASE', 'ADJUST', 'CHARGE', 'CREDIT', 'RETURN'));
comment on column ledger_entry.name is 'like what follows, only where the kind is CHARGE, CREDIT or RETURN';
