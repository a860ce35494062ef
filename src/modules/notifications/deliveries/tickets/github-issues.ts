import { isItem } from '../../../../domain/json/json-item.ts';
import { safeUrl } from '../../../../domain/templates/clean-text.ts';
import {
  clockToleranceMs,
  errorOf,
  invalid,
  type SendRequest,
  type Tracker,
  TrackerError,
  type TrackerResponse,
  type TrackerTarget,
  type TrackerTicket,
} from './tracker.ts';

export function githubHeaders({ token }: TrackerTarget): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
}

const perPage = 50;

/** Creates a tracker for GitHub issues. Source: https://docs.github.com/rest/issues/issues. */
export function githubIssues({ url, project }: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const repository = `${url}/repos/${project}`;
  const fail = (response: TrackerResponse) => errorOf(response, detailOf(response), now);

  async function check(): Promise<string> {
    const response = await send({ url: repository, followRedirects: 2 });
    if (response.status !== 200) throw fail(response);
    if (!isItem(response.json)) throw invalid(response);
    const { has_issues, archived, full_name } = response.json;
    const { status, text: body } = response;
    if (has_issues === false)
      throw new TrackerError('ticket_rejected', 'Issues are disabled in the repository.', { status, body });
    if (archived === true)
      throw new TrackerError('ticket_rejected', 'The repository is archived.', { status, body });
    return `The token can read ${typeof full_name === 'string' ? full_name : project}, and its issues are enabled. No issue was created.`;
  }

  function toTicket(issue: unknown, response: TrackerResponse): TrackerTicket {
    if (!isItem(issue) || !Number.isSafeInteger(issue['number'])) throw invalid(response);
    const id = String(issue['number']);
    const page = typeof issue['html_url'] === 'string' ? safeUrl(issue['html_url']) : null;
    return { id, key: `${project}#${id}`, url: page ?? repository, isOpen: issue['state'] === 'open' };
  }

  return {
    check,

    // List issues instead of searching, because GitHub's search is eventually consistent.
    async find(marker, since) {
      const from = since.getTime() - clockToleranceMs;
      const found: TrackerTicket[] = [];
      for (let page = 1; ; page += 1) {
        const query = `state=all&sort=created&direction=desc&per_page=${perPage}&page=${page}`;
        const response = await send({ url: `${repository}/issues?${query}`, followRedirects: 2 });
        if (response.status !== 200) throw fail(response);
        const issues = response.json;
        if (!Array.isArray(issues)) throw invalid(response);
        for (const issue of issues) {
          if (!isItem(issue) || issue['pull_request'] !== undefined) continue;
          // Anyone who can read the marker can add it to an older issue, which would then appear to be the
          // first ticket.
          if (Date.parse(String(issue['created_at'])) < from) continue;
          if (hasMarker(issue['body'], marker)) found.push(toTicket(issue, response));
        }
        const last: unknown = issues.at(-1);
        const isPast = isItem(last) && Date.parse(String(last['created_at'])) < from;
        if (issues.length < perPage || isPast) return found.toReversed();
      }
    },

    async create({ title, body, labels, marker }) {
      const json = { title, body: `${body}\n\n${hiddenMarker(marker)}`, labels };
      const response = await send({ method: 'POST', url: `${repository}/issues`, json });
      if (response.status !== 201) throw fail(response);
      return toTicket(response.json, response);
    },

    async close(id) {
      // A transferred issue redirects to its new location.
      const issue = await send({ url: `${repository}/issues/${id}`, followRedirects: 2 });
      if (issue.status === 410) return 'missing';
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      if (isItem(issue.json) && issue.json['state'] === 'closed') return 'closed';
      if (new URL(issue.url).origin !== new URL(url).origin) return 'missing';
      const json = { state: 'closed', state_reason: 'completed' };
      const response = await send({ method: 'PATCH', url: issue.url, json });
      if (response.status !== 200) throw fail(response);
      return 'closed';
    },
  };
}

/** Wraps a marker in an HTML comment, which trackers don't display. */
export function hiddenMarker(marker: string): string {
  return `<!-- pacekeeper:${marker} -->`;
}

/** True if a ticket's body contains the marker. The body of an issue without text is `null`. */
export function hasMarker(body: unknown, marker: string): boolean {
  return typeof body === 'string' && body.includes(hiddenMarker(marker));
}

/**
 * Extracts the error text of a response such as `{"message": "Validation Failed", "errors": [{"field":
 * "title", "code": "missing_field"}]}`.
 */
function detailOf({ json }: TrackerResponse): string | null {
  if (!isItem(json) || typeof json['message'] !== 'string') return null;
  const errors = Array.isArray(json['errors']) ? json['errors'].filter(isItem) : [];
  const details = errors.map(({ field, code, message }) =>
    typeof message === 'string' ? message : `${String(field)}: ${String(code)}`,
  );
  return `GitHub: ${[json['message'], ...details].join('; ')}`;
}
