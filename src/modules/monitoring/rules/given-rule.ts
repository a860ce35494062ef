import type { Rule } from '../../../domain/rules/rule-type.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { ApiError } from '../../../platform/errors.ts';
import { toComparedRule } from '../evaluation/compared-rule.ts';
import { checkNewRule } from './rule-edits.ts';

/** ID of a rule that a preview uses without storing it. Stored rules have positive IDs. */
export const unstoredRuleId = 0;

/** Converts the rule in a request to the form that evaluations use. Throws 400 if it's invalid. */
export function toRequestedRule(rule: Schemas['SimulatedRule']): Rule {
  const { days_basis: daysBasis, support_phase: supportPhase, ...rest } = rule;
  const values = checkNewRule({
    name: '',
    description: '',
    stable_only: true,
    min_release_age_days: 0,
    known_exploited_days: null,
    min_epss: null,
    is_active: true,
    ...rest,
    ...(daysBasis != null && { days_basis: daysBasis }),
    ...(supportPhase != null && { support_phase: supportPhase }),
  });
  return toComparedRule(values);
}

/** Adds the name of the parent field to the field names in errors. */
export async function withFieldPrefix<T>(parent: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ApiError) || error.options.errors === undefined) throw error;
    const errors = error.options.errors.map((each) => ({ ...each, field: `${parent}.${each.field}` }));
    throw new ApiError(error.code, `${parent}.${error.message}`, { errors });
  }
}
