import { safeUrl } from '../../../../domain/templates/clean-text.ts';
import {
  invalidTrackerResponse,
  type SendRequest,
  type Tracker,
  TrackerError,
  type TrackerResponse,
  type TrackerTarget,
  type TrackerTicket,
  toTrackerError,
} from './tracker.ts';
import { maxFoundIssues } from './tracker-responses.ts';

/**
 * Returns authentication headers. Jira Cloud uses accounts with API tokens, and Data Center uses personal
 * access tokens.
 */
export function jiraHeaders({ token, accountEmail }: TrackerTarget): Record<string, string> {
  return {
    authorization:
      accountEmail === null
        ? `Bearer ${token}`
        : `Basic ${Buffer.from(`${accountEmail}:${token}`).toString('base64')}`,
  };
}

/**
 * Creates a tracker for Jira Cloud and Data Center. Both support API version 2 with texts in wiki markup.
 * Sources: https://developer.atlassian.com/cloud/jira/platform/rest/v2/ and
 * https://developer.atlassian.com/server/jira/platform/rest/.
 */
export function jira(target: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const { url, project, issueType, accountEmail } = target;
  const api = `${url}/rest/api/2`;
  const searchUrl = accountEmail === null ? `${api}/search` : `${api}/search/jql`;
  const fail = (response: TrackerResponse) => toTrackerError(response, now);

  async function check(): Promise<string> {
    const response = await send({ url: `${api}/project/${project}`, answer: 'jira_issue_types' });
    if (response.status !== 200) throw fail(response);
    const { status, text: body, answer: types } = response;
    if (types === null) throw invalidTrackerResponse(response);
    if (types.length > 0 && !types.some((name) => name.toLowerCase() === issueType?.toLowerCase()))
      throw new TrackerError(
        'ticket_rejected',
        `The project has no issue type ${issueType}, only ${types.join(', ')}`,
        { status, body },
      );
    const missing = await missingPermissions();
    if (missing.length > 0) throw new TrackerError('ticket_forbidden', `It lacks ${missing.join(', ')}`);
    return `The token can create and transition issues in ${project}. No issue was created.`;
  }

  async function missingPermissions(): Promise<string[]> {
    const wanted = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES'];
    const query = `projectKey=${project}&permissions=${wanted.join(',')}`;
    const response = await send({ url: `${api}/mypermissions?${query}`, answer: 'jira_permissions' });
    if (response.status !== 200) throw fail(response);
    const granted = response.answer;
    if (granted === null) throw invalidTrackerResponse(response);
    return wanted.filter((name) => !granted.includes(name));
  }

  const toTicket = (key: string, isOpen: boolean): TrackerTicket => ({
    id: key,
    key,
    url: safeUrl(`${url}/browse/${key}`) ?? url,
    isOpen,
  });

  return {
    check,

    async find(marker) {
      // Search only the channel's project, because anyone who can read the marker can add it to an issue in
      // any project.
      const jql = `project = "${project}" AND labels = "${markerLabel(marker)}" ORDER BY created ASC`;
      const json = { jql, fields: ['status'], maxResults: maxFoundIssues };
      const response = await send({ method: 'POST', url: searchUrl, json, answer: 'jira_issues' });
      // Jira rejects a search in an unknown project, which `check` reports with a clear error.
      if (response.status === 400) await check();
      if (response.status !== 200) throw fail(response);
      if (response.answer === null) throw invalidTrackerResponse(response);
      return response.answer.map((issue) => toTicket(issue.key, !issue.isDone));
    },

    async create({ title, body, labels, marker }) {
      const fields = {
        project: { key: project },
        issuetype: { name: issueType },
        summary: title,
        description: body,
        labels: [...labels, markerLabel(marker)],
      };
      const json = { fields };
      const response = await send({ method: 'POST', url: `${api}/issue`, json, answer: 'jira_key' });
      if (response.status !== 201) throw fail(response);
      if (response.answer === null) throw invalidTrackerResponse(response);
      return toTicket(response.answer, true);
    },

    async close(id) {
      const issueUrl = `${api}/issue/${id}`;
      const issue = await send({ url: `${issueUrl}?fields=status`, answer: 'jira_status' });
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      const status = issue.answer;
      if (status?.isDone) return 'closed';
      const offered = await send({
        url: `${issueUrl}/transitions?expand=transitions.fields`,
        answer: 'jira_transition',
      });
      if (offered.status !== 200) throw fail(offered);
      const transition = offered.answer;
      if (transition === null) throw invalidTrackerResponse(offered);
      if (transition === 'none') {
        const from = status === null || status.name === null ? '' : ` from "${status.name}"`;
        const detail = `Jira offers no transition${from} to a status of the category Done that requires no more than a resolution.`;
        throw new TrackerError('ticket_not_closed', detail, { status: offered.status, body: offered.text });
      }
      const { id: transitionId, resolution } = transition;
      const json = {
        transition: { id: transitionId },
        ...(resolution !== null && { fields: { resolution: { name: resolution } } }),
      };
      const response = await send({ method: 'POST', url: `${issueUrl}/transitions`, json, answer: null });
      if (response.status === 400)
        throw new TrackerError('ticket_not_closed', response.problem, { status: 400, body: response.text });
      if (response.status !== 204) throw fail(response);
      return 'closed';
    },
  };
}

/** Returns the marker as a label, because Jira has no hidden field that can be searched. */
function markerLabel(marker: string): string {
  return `pacekeeper-${marker}`;
}
