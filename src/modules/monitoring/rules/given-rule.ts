import type { Rule } from '../../../domain/rules/rule-type.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { ApiError } from '../../../platform/errors.ts';
import { comparedRule } from '../evaluation/compared-rule.ts';
import { checkNewRule } from './rule-edits.ts';

/** A rule that isn't stored, as it is compared by. Throws 400 if it is invalid. */
export function givenRule(rule: Schemas['SimulatedRule']): Rule {
  const { days_basis: daysBasis, support_phase: supportPhase, ...rest } = rule;
  const values = checkNewRule({
    ...{ name: '', description: '', stable_only: true, min_release_age_days: 0, is_active: true },
    ...rest,
    ...(daysBasis != null && { days_basis: daysBasis }),
    ...(supportPhase != null && { support_phase: supportPhase }),
  });
  return comparedRule(values);
}

/** Names fields of a member of the body in errors by their path from the body. */
export async function inMember<T>(member: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ApiError) || error.options.errors === undefined) throw error;
    const errors = error.options.errors.map((each) => ({ ...each, field: `${member}.${each.field}` }));
    throw new ApiError(error.code, `${member}.${error.message}`, { errors });
  }
}
