import { useRef } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { withBasePath } from '../../api/page-location.ts';
import { useMe } from '../../api/use-me.ts';
import { emptySoftware, type SoftwareValues } from './software-values.ts';

type Document = Schemas['ConfigurationDocument'];

interface Attempt {
  values: SoftwareValues;
  document: Document;
}

/**
 * Stores the form input in this browser per user and organization, so that it survives a closed tab or an
 * expired session. The form has no secrets.
 */
export function useSoftwareDraft() {
  const { user, organization } = useMe();
  const key = withBasePath(`pacekeeper-add-software-${organization.id}-${user.id}`);
  const attemptKey = `${key}-attempt`;
  const read = useRef<SoftwareValues | null>(null);
  read.current ??= parse(localStorage.getItem(key));
  return {
    initial: read.current,
    store(values: SoftwareValues): void {
      const text = JSON.stringify(values);
      if (text === JSON.stringify(emptySoftware)) localStorage.removeItem(key);
      else localStorage.setItem(key, text);
    },
    /** Stores the request document for these values before it's sent. */
    begin(values: SoftwareValues, document: Document): void {
      localStorage.setItem(attemptKey, JSON.stringify({ values, document }));
    },
    /**
     * Returns the document of the earlier request if the request had the same values and its result isn't
     * known. Sending the same document again doesn't create duplicates.
     */
    unanswered(values: SoftwareValues): Document | null {
      const attempt = JSON.parse(localStorage.getItem(attemptKey) ?? 'null') as Attempt | null;
      return attempt && JSON.stringify(attempt.values) === JSON.stringify(values) ? attempt.document : null;
    },
    /** Removes the stored request after its result is known. */
    end(): void {
      localStorage.removeItem(attemptKey);
    },
    clear(): void {
      localStorage.removeItem(key);
      localStorage.removeItem(attemptKey);
      read.current = emptySoftware;
    },
  };
}

/**
 * Parses a stored draft. A different version of the page may have stored it, so only fields with the expected
 * type are used.
 */
function parse(text: string | null): SoftwareValues {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return emptySoftware;
    const known = Object.entries(stored).filter(
      ([name, value]) => Object.hasOwn(emptySoftware, name) && formOf(value) === formOf(emptySoftware[name]),
    );
    return { ...emptySoftware, ...Object.fromEntries(known) };
  } catch {
    return emptySoftware;
  }
}

/** Returns the type of a field. `null` is treated as a number, because IDs can be `null`. */
const formOf = (value: unknown) => (value === null ? 'number' : typeof value);
