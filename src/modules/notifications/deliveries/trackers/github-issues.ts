import { safeUrl } from '../../../../domain/templates/clean-text.ts';
import {
  clockToleranceMs,
  invalidTrackerResponse,
  issuesPerPage,
  maxPages,
  type SendRequest,
  searchIncompleteError,
  type Tracker,
  TrackerError,
  type TrackerResponse,
  type TrackerTarget,
  type TrackerTicket,
  toTrackerError,
} from './tracker.ts';
import { hiddenMarker, type TrackerIssue } from './tracker-responses.ts';

export function githubHeaders({ token }: TrackerTarget): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  };
}

/** Creates a tracker for GitHub issues. Source: https://docs.github.com/rest/issues/issues. */
export function githubIssues({ url, project }: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const repository = `${url}/repos/${project}`;
  const fail = (response: TrackerResponse) => toTrackerError(response, now);

  async function check(): Promise<string> {
    const response = await send({ url: repository, followRedirects: 2, answer: 'github_repository' });
    if (response.status !== 200) throw fail(response);
    const { status, text: body, answer: found } = response;
    if (found === null) throw invalidTrackerResponse(response);
    if (!found.hasIssues)
      throw new TrackerError('ticket_rejected', 'Issues are disabled in the repository.', { status, body });
    if (found.isArchived)
      throw new TrackerError('ticket_rejected', 'The repository is archived.', { status, body });
    return `The token can read ${found.name ?? project}, and its issues are enabled. No issue was created.`;
  }

  function toTicket({ number, url: page, isOpen }: TrackerIssue): TrackerTicket {
    return {
      id: String(number),
      key: `${project}#${number}`,
      url: (page === null ? null : safeUrl(page)) ?? repository,
      isOpen,
    };
  }

  return {
    check,

    // List issues instead of searching, because GitHub's search is eventually consistent.
    async find(marker, since) {
      const fromMs = since.getTime() - clockToleranceMs;
      const found: TrackerTicket[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const query = `state=all&sort=created&direction=desc&per_page=${issuesPerPage}&page=${page}`;
        const response = await send({
          url: `${repository}/issues?${query}`,
          followRedirects: 2,
          answer: 'github_issues',
          query: { marker, fromMs },
        });
        if (response.status !== 200) throw fail(response);
        if (response.answer === null) throw invalidTrackerResponse(response);
        found.push(...response.answer.found.map(toTicket));
        if (response.answer.count < issuesPerPage || response.answer.isPast) return found.toReversed();
      }
      if (found.length === 0) throw searchIncompleteError(since);
      return found.toReversed();
    },

    async create({ title, body, labels, marker }) {
      const json = { title, body: `${body}\n\n${hiddenMarker(marker)}`, labels };
      const response = await send({
        method: 'POST',
        url: `${repository}/issues`,
        json,
        answer: 'github_issue',
      });
      if (response.status !== 201) throw fail(response);
      if (response.answer === null) throw invalidTrackerResponse(response);
      return toTicket(response.answer);
    },

    async close(id) {
      // A transferred issue redirects to its new location.
      const issueUrl = `${repository}/issues/${id}`;
      const issue = await send({ url: issueUrl, followRedirects: 2, answer: 'github_issue' });
      if (issue.status === 410) return 'missing';
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      if (issue.answer?.isOpen === false) return 'closed';
      if (new URL(issue.url).origin !== new URL(url).origin) return 'missing';
      const json = { state: 'closed', state_reason: 'completed' };
      const response = await send({ method: 'PATCH', url: issue.url, json, answer: null });
      if (response.status !== 200) throw fail(response);
      return 'closed';
    },
  };
}
