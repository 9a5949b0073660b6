import json, sqlite3, sys
sys.path.insert(0, "/tmp/wt5")
from tests.e2e.test_questions import *  # noqa
def test_sizes(make_host, desk_at):
    it = Interview(desk_at(make_host().start()))
    for n in range(20):
        r = it.until_settled(it.asked("How does replay rebuild the state? " + "x"*1900 + str(n)))
    print("one reply bytes", len(json.dumps(r)))
    [(k, kept)] = it.conversations().items()
    print("state after 20:", len(json.dumps(json.loads(kept), separators=(",",":"))), len(kept))
    db = [p for p in it.host.data.rglob("*.db")]
    print(db)
    for p in db:
        c = sqlite3.connect(p)
        for (t,) in c.execute("select name from sqlite_master where type='table'").fetchall():
            cols=[x[1] for x in c.execute(f"pragma table_info({t})")]
            for col in cols:
                m = c.execute(f"select max(length({col})) from {t}").fetchone()[0]
                if m and m>600: print(p.name,t,col,m)
    import httpx
    h = httpx.get(f"{it.host.url}{RUNTIME}/instances/{it.operation}-q20?showHistory=true&showHistoryOutput=true&showInput=true").json()
    print("history json", len(json.dumps(h)), json.dumps(h)[:3000])
    assert 0
