"""Reserves with the client that the openapi-generator makes from openapi/berth.yaml."""

import os
import sys
from datetime import datetime, timedelta, timezone

sys.dont_write_bytecode = True

import berth_client  # noqa: E402  pylint: disable=wrong-import-position,import-error

configuration = berth_client.Configuration(host=os.environ["BERTH_TEST_URL"], access_token=os.environ["BERTH_TEST_TOKEN"])
with berth_client.ApiClient(configuration) as client:
    reservations = berth_client.ReservationsApi(client)
    tomorrow = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)
    terms = berth_client.Terms(duration="PT2H", pes=6, ready_time=tomorrow)
    slots = berth_client.ProbesApi(client).probe(berth_client.Probe(terms=terms, clusters=["demo"])).slots
    reserved = reservations.reserve(berth_client.Reserve(terms=terms, cluster="demo"), idempotency_key=os.urandom(8).hex())
    assert reserved.state == "CONFIRMED", reserved
    assert reserved.placement.start == slots[0].start, (reserved, slots)
    assert reserved.price == slots[0].price, (reserved, slots)
    read = reservations.read_reservation(reserved.id)
    assert read.id == reserved.id and read.terms == reserved.terms, read
    try:
        reservations.reserve(berth_client.Reserve(terms=berth_client.Terms(duration="PT2H", pes=1_000_000), cluster="demo"))
        raise AssertionError("reserved a million PEs")
    except berth_client.ApiException as refused:
        assert refused.status == 422 and "never-fits" in refused.body, refused
    assert reservations.cancel_reservation(reserved.id).state == "CANCELLED"
print(f"reserved and cancelled {reserved.id}")
