import { expect, test } from 'vitest';
import { groupSupportEnds } from './group-support-ends.ts';

const end = (
  id: number,
  line: string,
  ends_at: string | null,
  days_left: number | null,
  has_ended = false,
) => ({
  label: 'PostgreSQL',
  line,
  ends_at,
  days_left,
  has_ended,
  scrape_job: { id, name: `job ${id}` },
});

test('one release line that many places run is one row, and the earliest end comes first', () => {
  expect(
    groupSupportEnds([
      end(1, '16', '2026-12-10T00:00:00Z', 12),
      end(2, '16', '2026-12-10T00:00:00Z', 12),
      end(2, '16', '2026-12-10T00:00:00Z', 12),
      end(3, '15', '2026-12-03T00:00:00Z', 5),
    ]),
  ).toEqual({
    soon: [
      { name: 'PostgreSQL 15', places: 1, endsAt: '2026-12-03T00:00:00Z', isUrgent: true },
      { name: 'PostgreSQL 16', places: 2, endsAt: '2026-12-10T00:00:00Z', isUrgent: false },
    ],
    endedCount: 0,
  });
});

test('places whose support has ended are counted, even if the day is unknown', () => {
  expect(
    groupSupportEnds([
      end(1, '13', null, null, true),
      end(2, '14', '2025-11-13T00:00:00Z', 0, true),
      end(3, '18', null, null),
    ]),
  ).toEqual({ soon: [], endedCount: 2 });
});
