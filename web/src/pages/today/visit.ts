import { useCallback, useState } from 'react';
import { withBasePath } from '../../api/page-location.ts';
import { useMe } from '../../api/use-me.ts';

interface Visit {
  /** End of the previous visit, by the clock of the server. Null on the first visit. */
  since: string | null;
  /** When the page was last visible, by the clock of the server. */
  seenAt: string | null;
  /** Label of the selected team, as `key=value`. Null if all teams are selected. */
  label: string | null;
}

/** A page that is opened again within this time continues the visit. */
const visitGapMs = 60 * 60_000;

/** Returns the visit that starts, or continues, when the page is opened. */
export function startVisit({ since, seenAt, label }: Visit, nowMs: number): Visit {
  const isNew = seenAt !== null && nowMs - Date.parse(seenAt) > visitGapMs;
  return { since: isNew ? seenAt : since, seenAt, label };
}

/** Parses a stored visit. A different version of the page may have stored it, so other types are ignored. */
export function parseVisit(stored: string | null): Visit {
  let values: Readonly<Record<string, unknown>> = {};
  try {
    values = Object(JSON.parse(stored ?? '{}')) as typeof values;
  } catch {
    // Text that isn't JSON is treated as missing.
  }
  const time = (value: unknown) =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
  const { label } = values;
  return {
    since: time(values['since']),
    seenAt: time(values['seenAt']),
    label: typeof label === 'string' ? label : null,
  };
}

/**
 * Stores the last visit and the selected team in this browser, per user and organization.
 */
export function useVisit() {
  const { user, organization } = useMe();
  const key = withBasePath(`pacekeeper-today-${organization.id}-${user.id}`);
  const [visit, setVisit] = useState(() => startVisit(parseVisit(localStorage.getItem(key)), Date.now()));
  const change = useCallback(
    (changes: Partial<Visit>) =>
      setVisit((before) => {
        const next = { ...before, ...changes };
        localStorage.setItem(key, JSON.stringify(next));
        return next;
      }),
    [key],
  );
  return { visit, change };
}
