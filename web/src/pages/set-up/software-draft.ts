import { useRef } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useMe } from '../../api/use-me.ts';
import { emptySoftware, type SoftwareValues } from './software-values.ts';

type Document = Schemas['ConfigurationDocument'];

interface Attempt {
  values: SoftwareValues;
  document: Document;
}

/**
 * What was typed, in this browser, for a user in an organization: it survives the end of a session and a closed tab. The
 * form has no secrets.
 */
export function useSoftwareDraft() {
  const { user, organization } = useMe();
  const key = `pacekeeper-add-software-${organization.id}-${user.id}`;
  const attemptKey = `${key}-attempt`;
  const read = useRef<SoftwareValues | null>(null);
  read.current ??= parse(localStorage.getItem(key));
  return {
    initial: read.current,
    keep(values: SoftwareValues): void {
      const text = JSON.stringify(values);
      if (text === JSON.stringify(emptySoftware)) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    },
    /** Remembers what is sent for these values. */
    begin(values: SoftwareValues, document: Document): void {
      localStorage.setItem(attemptKey, JSON.stringify({ values, document }));
    },
    /** What was sent for these values and perhaps applied: to send it again creates nothing twice. */
    unanswered(values: SoftwareValues): Document | null {
      const attempt = JSON.parse(localStorage.getItem(attemptKey) ?? 'null') as Attempt | null;
      return attempt && JSON.stringify(attempt.values) === JSON.stringify(values) ? attempt.document : null;
    },
    /** It is known what came of it. */
    end(): void {
      localStorage.removeItem(attemptKey);
    },
    drop(): void {
      localStorage.removeItem(key);
      localStorage.removeItem(attemptKey);
      read.current = emptySoftware;
    },
  };
}

/** Another version of the page may have stored it: only fields that have the same form are used. */
function parse(text: string | null): SoftwareValues {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return emptySoftware;
    const known = Object.entries(stored).filter(
      ([name, value]) => name in emptySoftware && formOf(value) === formOf(emptySoftware[name]),
    );
    return { ...emptySoftware, ...Object.fromEntries(known) };
  } catch {
    return emptySoftware;
  }
}

/** An ID is a number or null. */
const formOf = (value: unknown) => (value === null ? 'number' : typeof value);
