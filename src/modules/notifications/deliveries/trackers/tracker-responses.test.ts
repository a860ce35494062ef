import { expect, test } from 'vitest';
import { readTrackerResponse, type TrackerResponseName } from './tracker-responses.ts';

const marked = '<!-- pacekeeper:m -->';
const issue = { reference: null, url: null, isOpen: true, movedToId: null };

function check(name: TrackerResponseName, json: unknown, expected: unknown): void {
  const text = JSON.stringify(json);
  expect(readTrackerResponse({ name, query: { marker: 'm', fromMs: 0 }, text }), `${name} ${text}`).toEqual(
    expected,
  );
}

test('responses with only the required fields are valid', () => {
  check('github_repository', {}, { name: null, hasIssues: true, isArchived: false });
  check('github_issue', { number: 1 }, { ...issue, number: 1 });
  check('gitlab_project', {}, { name: null, hasIssues: true, isArchived: false });
  check('gitlab_issue', { iid: 3 }, { ...issue, number: 3 });
  const located = { id: 1, projectId: 3, number: 2, isOpen: true, movedToId: null };
  check('gitlab_moved_issues', [{ id: 1, iid: 2, project_id: 3 }, 7], [located]);
  check('jira_issue_types', {}, []);
  check('jira_permissions', { permissions: { A: { havePermission: true }, B: 1 } }, ['A']);
  check('jira_status', {}, { name: null, isDone: false });
  check('jira_key', { key: 'A-1' }, 'A-1');
  check('jira_issues', { issues: [{ key: 'A-1' }] }, [{ key: 'A-1', isDone: false }]);
  check(
    'jira_transition',
    { transitions: [{ id: 5, to: { statusCategory: { key: 'done' } } }] },
    {
      id: '5',
      resolution: null,
    },
  );
  check('jira_transition', {}, 'none');
});

test('a parsed page counts all of its issues, but lists only issues with the marker that are new enough', () => {
  check(
    'github_issues',
    [
      { number: 1, body: marked, created_at: '2026-01-01T00:00:00Z' },
      { number: 2, body: marked, pull_request: {} },
      { number: 3, body: marked, created_at: '1969-01-01T00:00:00Z' },
    ],
    { count: 3, isPast: true, found: [{ ...issue, number: 1 }] },
  );
  check('gitlab_issues', [{ iid: 1, description: marked }, {}], {
    count: 2,
    isPast: false,
    found: [{ ...issue, number: 1 }],
  });
});

test('a response without the fields that identify a ticket is invalid', () => {
  check('github_issue', { number: '1' }, null);
  check('github_issues', [{ number: 'x', body: marked }], null);
  check('gitlab_issue', {}, null);
  check('jira_key', { key: '../../A-1' }, null);
  check('jira_issues', {}, null);
  check('jira_issues', { issues: [{}] }, null);
});

test('an error description contains only strings and numbers', () => {
  check(
    'github_problem',
    { message: 'a', errors: [{ field: 't', code: 'c' }, { message: 'm' }, 7] },
    'GitHub: a; t: c; m',
  );
  check('gitlab_problem', { error: 'x' }, 'GitLab: x');
  check('gitlab_problem', { message: { title: ['a', { toString: 1 }, 2] } }, 'GitLab: title a, 2');
  check('jira_problem', { errorMessages: ['x', {}], errors: { a: 'b' } }, 'Jira: x; a: b');
  check('jira_problem', {}, null);
});
