import cvss from 'ae-cvss-calculator';
import { type AdvisorySeverity, advisorySeverities } from './advisory.ts';

/**
 * Converts a severity name. `Medium` and `moderate` are equivalent. Returns `null` for other words, such as `Unknown`.
 */
export function severityOfWord(word: string): AdvisorySeverity | null {
  const lower = word.trim().toLowerCase();
  return lower === 'medium'
    ? 'moderate'
    : (advisorySeverities.find((severity) => severity === lower) ?? null);
}

/**
 * Returns the severity that corresponds to the highest base score of the CVSS vectors, or `null` if none can be parsed.
 */
export function severityOfVectors(vectors: readonly string[]): AdvisorySeverity | null {
  const scores = vectors.map(baseScore).filter((score) => score !== null);
  if (scores.length === 0) return null;
  const highest = Math.max(...scores);
  // On the qualitative scale of CVSS 3 and 4, a score of 0 means "none", which isn't a severity here.
  if (highest <= 0) return null;
  if (highest < 4) return 'low';
  if (highest < 7) return 'moderate';
  return highest < 9 ? 'high' : 'critical';
}

function baseScore(vector: string): number | null {
  try {
    const scores = cvss.fromVector(vector)?.createJsonSchema() as { baseScore?: unknown } | undefined;
    const score = scores?.baseScore;
    return typeof score === 'number' && Number.isFinite(score) ? score : null;
  } catch {
    return null;
  }
}

/** Returns the highest severity, or `null` if none is known. */
export function highestAdvisorySeverity(
  severities: readonly (AdvisorySeverity | null)[],
): AdvisorySeverity | null {
  return advisorySeverities.findLast((severity) => severities.includes(severity)) ?? null;
}
