import { type Tx, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Caller, Handlers } from '../../../platform/http/index.ts';
import { runChangeInTurn, type TurnDeps } from '../evaluation/evaluation-turns.ts';
import { checkNewRule, ruleEdits, toRule } from './rule-edits.ts';
import { findRule, listRuleChoices, listRules } from './rule-queries.ts';

type RuleOperations =
  | 'listRules'
  | 'createRule'
  | 'getRule'
  | 'updateRule'
  | 'deleteRule'
  | 'toggleRule'
  | 'listRulesDropdown';

export function ruleHandlers(deps: TurnDeps): Handlers<RuleOperations> {
  const { db } = deps;
  const change = <T>(
    { caller, path }: { caller: Caller; path: { id: number } },
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> =>
    runChangeInTurn(deps, caller.organizationId, { ruleId: path.id }, () => transaction(db, work));
  return {
    async listRules({ caller, query }) {
      const page = await listRules(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toRule) } };
    },

    async createRule(request) {
      const values = checkNewRule(request.body);
      const [row] = await transaction(db, (tx) => ruleEdits.create(tx, request, [values]));
      return { status: 201, body: toRule(row!) };
    },

    async getRule({ caller, path }) {
      const row = await findRule(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toRule(row) };
    },

    async updateRule(request) {
      const { path, body } = request;
      const row = await change(request, (tx) => ruleEdits.update(tx, request, path.id, body));
      return { status: 200, body: toRule(row) };
    },

    async toggleRule(request) {
      const row = await change(request, (tx) => ruleEdits.toggle(tx, request, request.path.id));
      return { status: 200, body: toRule(row) };
    },

    async deleteRule(request) {
      await change(request, (tx) => ruleEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },

    async listRulesDropdown({ caller }) {
      return { status: 200, body: await listRuleChoices(db, caller.organizationId) };
    },
  };
}
