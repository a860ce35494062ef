import { ownValue } from '../json/own-value.ts';
import type { ClaimPatterns } from './identifying-claims.ts';
import { matchesPattern } from './trust-pattern.ts';

export type TokenClaims = Readonly<Record<string, unknown>>;

/**
 * Events of pull requests and merge requests, by the name of the claim that contains the event on each
 * platform. Tokens with these events are rejected, because the code can come from a fork, and the token
 * doesn't show whether it does.
 */
const requestEvents: Readonly<Record<string, readonly string[]>> = {
  event_name: ['pull_request', 'pull_request_target', 'pull_request_review', 'pull_request_review_comment'],
  pipeline_source: ['merge_request_event', 'external_pull_request_event'],
};

/** Refs that contain the code of a pull request or merge request. */
const requestRef = /^refs\/(?:pull|merge-requests)\//;

/** Returns the reason why a trust doesn't allow a verified token, or `null`. */
export function claimsRejection(patterns: ClaimPatterns, claims: TokenClaims): string | null {
  const event = Object.entries(requestEvents).find(([name, values]) =>
    values.includes(String(ownValue(claims, name))),
  );
  if (event)
    return `The token belongs to a pull request or merge request (${event[0]}: ${String(ownValue(claims, event[0]))}), which can come from a fork. Report deployments from a branch, a tag, or a schedule.`;
  for (const name of ['ref', 'ref_path'])
    if (requestRef.test(String(ownValue(claims, name))))
      return `The token belongs to a pull request or merge request (its ${name}), which can come from a fork. Report deployments from a branch, a tag, or a schedule.`;
  // The ref of a child pipeline doesn't show a merge request, because it's the source branch. So child
  // pipelines are accepted only from protected branches and tags.
  if (ownValue(claims, 'pipeline_source') === 'parent_pipeline' && !isProtected(claims))
    return "The token belongs to a child pipeline of a branch or tag that isn't protected, so its code can come from a merge request. Protect the branch or tag, or report deployments from the parent pipeline.";
  for (const [name, pattern] of Object.entries(patterns)) {
    const value = textOf(ownValue(claims, name));
    if (value === null) return `The token has no claim ${name}, which the trust requires.`;
    if (!matchesPattern(pattern, value))
      return `The trust doesn't allow the value of the claim ${name}: ${value}.`;
  }
  return null;
}

function isProtected(claims: TokenClaims): boolean {
  return textOf(ownValue(claims, 'ref_protected')) === 'true';
}

/** Returns a claim as text. Lists and objects have no text, so that they never match. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
