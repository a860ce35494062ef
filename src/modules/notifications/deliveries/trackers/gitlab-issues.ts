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

export function gitlabHeaders({ token }: TrackerTarget): Record<string, string> {
  return { 'private-token': token };
}

/** Creates a tracker for GitLab issues. Source: https://docs.gitlab.com/api/issues/. */
export function gitlabIssues({ url, project }: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const projectUrl = `${url}/api/v4/projects/${encodeURIComponent(project)}`;
  const fail = (response: TrackerResponse) => toTrackerError(response, now);

  async function check(): Promise<string> {
    const response = await send({ url: projectUrl, answer: 'gitlab_project' });
    if (response.status !== 200) throw fail(response);
    const { status, text: body, answer: found } = response;
    if (found === null) throw invalidTrackerResponse(response);
    if (!found.hasIssues)
      throw new TrackerError('ticket_rejected', 'Issues are disabled in the project.', { status, body });
    if (found.isArchived)
      throw new TrackerError('ticket_rejected', 'The project is archived.', { status, body });
    return `The token can read ${found.name ?? project}, and its issues are enabled. No issue was created.`;
  }

  function toTicket({ number, reference, url: page, isOpen }: TrackerIssue): TrackerTicket {
    return {
      id: String(number),
      key: reference ?? `${project}#${number}`,
      url: (page === null ? null : safeUrl(page)) ?? url,
      isOpen,
    };
  }

  /**
   * Closes the replacement of a moved issue. GitLab closes a moved issue and returns the ID of its
   * replacement. Only administrators can read an issue by that ID, so this searches among the issues with the
   * marker.
   */
  async function closeMoved(movedTo: number, marker: string): Promise<'closed' | 'missing'> {
    const response = await send({
      url: `${url}/api/v4/issues?scope=all&in=description&search=${marker}&per_page=${issuesPerPage}`,
      answer: 'gitlab_moved_issues',
    });
    if (response.status !== 200) throw fail(response);
    if (response.answer === null) throw invalidTrackerResponse(response);
    const issues = new Map(response.answer.map((issue) => [issue.id, issue]));
    let issue = issues.get(movedTo);
    for (let moves = 1; issue !== undefined && issue.movedToId !== null && moves < issues.size; moves++)
      issue = issues.get(issue.movedToId);
    if (issue === undefined || issue.movedToId !== null) return 'missing';
    if (!issue.isOpen) return 'closed';
    const issueUrl = `${url}/api/v4/projects/${issue.projectId}/issues/${issue.number}`;
    const json = { state_event: 'close' };
    const closed = await send({ method: 'PUT', url: issueUrl, json, answer: null });
    // The token can read the new project but can't change its issues.
    if (closed.status === 403 || closed.status === 404) return 'missing';
    if (closed.status !== 200) throw fail(closed);
    return 'closed';
  }

  return {
    check,

    async find(marker, since) {
      const from = new Date(since.getTime() - clockToleranceMs).toISOString();
      const found: TrackerTicket[] = [];
      for (let page = 1; page <= maxPages; page += 1) {
        const query = `scope=all&created_after=${from}&order_by=created_at&sort=asc&per_page=${issuesPerPage}&page=${page}`;
        const response = await send({
          url: `${projectUrl}/issues?${query}`,
          answer: 'gitlab_issues',
          query: { marker, fromMs: since.getTime() - clockToleranceMs },
        });
        if (response.status !== 200) throw fail(response);
        if (response.answer === null) throw invalidTrackerResponse(response);
        found.push(...response.answer.found.map(toTicket));
        if (response.answer.count < issuesPerPage) return found;
      }
      if (found.length === 0) throw searchIncompleteError(since);
      return found;
    },

    async create({ title, body, labels, marker }) {
      const description = `${body}\n\n${hiddenMarker(marker)}`;
      const json = { title, description, ...(labels.length > 0 && { labels: labels.join(',') }) };
      const response = await send({
        method: 'POST',
        url: `${projectUrl}/issues`,
        json,
        answer: 'gitlab_issue',
      });
      if (response.status !== 201) throw fail(response);
      if (response.answer === null) throw invalidTrackerResponse(response);
      return toTicket(response.answer);
    },

    async close(id, marker) {
      const issueUrl = `${projectUrl}/issues/${id}`;
      const issue = await send({ url: issueUrl, answer: 'gitlab_issue' });
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      const movedTo = issue.answer?.movedToId ?? null;
      if (movedTo !== null) return closeMoved(movedTo, marker);
      if (issue.answer?.isOpen === false) return 'closed';
      const json = { state_event: 'close' };
      const response = await send({ method: 'PUT', url: issueUrl, json, answer: null });
      if (response.status !== 200) throw fail(response);
      return 'closed';
    },
  };
}
