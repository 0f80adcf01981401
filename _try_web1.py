import tempfile
from pathlib import Path
from playwright.sync_api import sync_playwright
from tests.page.browsers import *
from tests.page.halls import page_hall
from tests.page.tables import *
with sync_playwright() as p, tempfile.TemporaryDirectory() as d, page_hall(Path(d), built=Path('/tmp/web1-page')) as hall:
    b = launch(p); v = Visitors(b, hall.url)
    for scheme in ('dark','light'):
        hall.script((1,))
        ann, bea = two(v, hall, 'aetharn', {'color_scheme': scheme, 'reduced_motion':'no-preference', 'device_scale_factor': 2})
        hall.script((1,5,2,3,4,6))
        press(ann, 'Roll'); ann.wait_for_timeout(1500)
        ann.get_by_role('button', name='Die 1:').click(); ann.wait_for_timeout(500)
        ann.get_by_role("region", name="The board").screenshot(path=f'/tmp/web1-shots/die-{scheme}.png')
        ann.screenshot(path=f'/tmp/web1-shots/aet-{scheme}.png', full_page=True)
    print(v.troubles); v.troubles.clear(); v.close()
