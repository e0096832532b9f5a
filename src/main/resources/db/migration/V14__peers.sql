-- another Berth is a peer; the provider is who runs this one
alter table provider rename to peer;
alter table peer rename constraint provider_pkey to peer_pkey;
