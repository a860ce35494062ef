import { toList, toObject } from '../json/foreign-json.ts';
import {
  type Advisory,
  type AdvisorySeverity,
  type AffectedPackage,
  type AffectedRange,
  rangeEventKinds,
} from './advisory.ts';
import { severityOfVectors, severityOfWord } from './advisory-severity.ts';

/**
 * Parses a record of the OSV format. Returns `null` for any other value. Fields of an unexpected type are
 * ignored.
 */
export function readOsvRecord(value: unknown): Advisory | null {
  const record = toObject(value);
  const { id } = record;
  if (typeof id !== 'string' || id === '' || !Array.isArray(record['affected'])) return null;
  const entries = record['affected'].map(toObject);
  const isUnmapped = typeof record['details'] === 'string' && unmappedNote.test(record['details']);
  return {
    id,
    aliases: textsOf(record['aliases']),
    isWithdrawn: typeof record['withdrawn'] === 'string',
    severity: readSeverity(record, entries),
    affected: entries.flatMap((entry) => readAffected(entry, isUnmapped)),
  };
}

/** The note that the Go vulnerability database adds to a record if its source lists more affected versions. */
const unmappedNote = /additional versions that could not be automatically mapped/;

function readAffected(entry: Record<string, unknown>, isUnmapped: boolean): AffectedPackage[] {
  const { ecosystem, name } = toObject(entry['package']);
  if (typeof ecosystem !== 'string' || typeof name !== 'string') return [];
  const ranges = readRanges(entry['ranges']);
  const customRanges = readRanges(toObject(entry['ecosystem_specific'])['custom_ranges']);
  return [
    {
      ecosystem,
      name,
      ranges,
      versions: textsOf(entry['versions']),
      // These fields are omitted if they are empty, as in almost all records, to save space.
      ...(customRanges.length > 0 && { customRanges }),
      ...(isUnmapped && { isUnmapped }),
    },
  ];
}

function readRanges(value: unknown): AffectedRange[] {
  return toList(value).map(toObject).filter(isComparable).map(readEvents);
}

function isComparable({ type }: Record<string, unknown>): boolean {
  return type === 'SEMVER' || type === 'ECOSYSTEM';
}

function readEvents(range: Record<string, unknown>): AffectedRange {
  return toList(range['events']).flatMap((value) => {
    const event = toObject(value);
    return rangeEventKinds.flatMap((kind) => {
      const version = event[kind];
      return typeof version === 'string' ? [{ kind, version }] : [];
    });
  });
}

/**
 * Returns the severity that the database assigned or, without one, the severity of the CVSS vectors. The
 * database considers more than a CVSS vector.
 */
function readSeverity(
  record: Record<string, unknown>,
  entries: readonly Record<string, unknown>[],
): AdvisorySeverity | null {
  const owners = [record, ...entries];
  const words = owners.flatMap((owner) => [
    toObject(owner['database_specific'])['severity'],
    toObject(owner['ecosystem_specific'])['severity'],
  ]);
  for (const word of words) {
    const severity = typeof word === 'string' ? severityOfWord(word) : null;
    if (severity !== null) return severity;
  }
  const vectors = owners.flatMap((owner) => toList(owner['severity']).map((item) => toObject(item)['score']));
  return severityOfVectors(vectors.filter((vector) => typeof vector === 'string'));
}

function textsOf(value: unknown): string[] {
  return toList(value).filter((item) => typeof item === 'string');
}
