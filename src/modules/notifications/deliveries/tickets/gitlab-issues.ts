import { type Item, isItem } from '../../../../domain/json/json-item.ts';
import { cleanLine, safeUrl } from '../../../../domain/templates/clean-text.ts';
import { hasMarker, hiddenMarker } from './github-issues.ts';
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

export function gitlabHeaders({ token }: TrackerTarget): Record<string, string> {
  return { 'private-token': token };
}

const perPage = 50;

/** Creates a tracker for GitLab issues. Source: https://docs.gitlab.com/api/issues/. */
export function gitlabIssues({ url, project }: TrackerTarget, send: SendRequest, now: Date): Tracker {
  const projectUrl = `${url}/api/v4/projects/${encodeURIComponent(project)}`;
  const fail = (response: TrackerResponse) => errorOf(response, detailOf(response), now);

  async function check(): Promise<string> {
    const response = await send({ url: projectUrl });
    if (response.status !== 200) throw fail(response);
    if (!isItem(response.json)) throw invalid(response);
    const { issues_enabled, issues_access_level, archived, path_with_namespace } = response.json;
    const { status, text: body } = response;
    if (issues_enabled === false || issues_access_level === 'disabled')
      throw new TrackerError('ticket_rejected', 'Issues are disabled in the project.', { status, body });
    if (archived === true)
      throw new TrackerError('ticket_rejected', 'The project is archived.', { status, body });
    return `The token can read ${typeof path_with_namespace === 'string' ? path_with_namespace : project}, and its issues are enabled. No issue was created.`;
  }

  function toTicket(issue: unknown, response: TrackerResponse): TrackerTicket {
    if (!isItem(issue) || !Number.isSafeInteger(issue['iid'])) throw invalid(response);
    const id = String(issue['iid']);
    const page = typeof issue['web_url'] === 'string' ? safeUrl(issue['web_url']) : null;
    const references = isItem(issue['references']) ? issue['references'] : {};
    const key = typeof references['full'] === 'string' ? cleanLine(references['full']) : `${project}#${id}`;
    return { id, key, url: page ?? url, isOpen: issue['state'] === 'opened' };
  }

  /**
   * Closes the replacement of a moved issue. GitLab closes a moved issue and returns the ID of its
   * replacement. Only administrators can read an issue by that ID, so this searches among the issues with the
   * marker.
   */
  async function closeMoved(movedTo: number, marker: string): Promise<'closed' | 'missing'> {
    const response = await send({
      url: `${url}/api/v4/issues?scope=all&in=description&search=${marker}&per_page=${perPage}`,
    });
    if (response.status !== 200) throw fail(response);
    if (!Array.isArray(response.json)) throw invalid(response);
    const issues = new Map(response.json.filter(isItem).map((issue) => [issue['id'], issue]));
    let issue = issues.get(movedTo);
    for (let moves = 1; issue !== undefined && isMoved(issue) && moves < issues.size; moves++)
      issue = issues.get(issue.moved_to_id);
    if (issue === undefined || isMoved(issue)) return 'missing';
    if (issue['state'] === 'closed') return 'closed';
    const issueUrl = `${url}/api/v4/projects/${Number(issue['project_id'])}/issues/${Number(issue['iid'])}`;
    const closed = await send({ method: 'PUT', url: issueUrl, json: { state_event: 'close' } });
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
      for (let page = 1; ; page += 1) {
        const query = `scope=all&created_after=${from}&order_by=created_at&sort=asc&per_page=${perPage}&page=${page}`;
        const response = await send({ url: `${projectUrl}/issues?${query}` });
        if (response.status !== 200) throw fail(response);
        if (!Array.isArray(response.json)) throw invalid(response);
        for (const issue of response.json) {
          if (isItem(issue) && hasMarker(issue['description'], marker)) found.push(toTicket(issue, response));
        }
        if (response.json.length < perPage) return found;
      }
    },

    async create({ title, body, labels, marker }) {
      const description = `${body}\n\n${hiddenMarker(marker)}`;
      const json = { title, description, ...(labels.length > 0 && { labels: labels.join(',') }) };
      const response = await send({ method: 'POST', url: `${projectUrl}/issues`, json });
      if (response.status !== 201) throw fail(response);
      return toTicket(response.json, response);
    },

    async close(id, marker) {
      const issueUrl = `${projectUrl}/issues/${id}`;
      const issue = await send({ url: issueUrl });
      if (issue.status === 404) {
        await check();
        return 'missing';
      }
      if (issue.status !== 200) throw fail(issue);
      if (isItem(issue.json) && isMoved(issue.json)) return closeMoved(issue.json.moved_to_id, marker);
      if (isItem(issue.json) && issue.json['state'] === 'closed') return 'closed';
      const response = await send({ method: 'PUT', url: issueUrl, json: { state_event: 'close' } });
      if (response.status !== 200) throw fail(response);
      return 'closed';
    },
  };
}

function isMoved(issue: Item): issue is Item & { moved_to_id: number } {
  return typeof issue['moved_to_id'] === 'number';
}

/**
 * Extracts the error text of responses such as `{"message": "404 Project Not Found"}`, `{"message": {"title":
 * ["is too long"]}}`, or `{"error": "invalid_token"}`.
 */
function detailOf({ json }: TrackerResponse): string | null {
  if (!isItem(json)) return null;
  const { message, error, error_description } = json;
  const details = isItem(message)
    ? Object.entries(message).map(([field, problems]) => `${field} ${[problems].flat().join(', ')}`)
    : [message, error_description ?? error].filter((text) => typeof text === 'string');
  return details.length === 0 ? null : `GitLab: ${details.join('; ')}`;
}
