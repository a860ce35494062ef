import { unconfirmedSentence } from '../../domain/explanations/explanation-sentences.ts';
import { stateSentences } from '../../domain/explanations/state-sentences.ts';
import { pageUrl, withPageUrl } from '../pages.ts';
import { defineTool, idInput, ToolInputError } from '../tool.ts';

export const explainState = defineTool({
  name: 'explain_state',
  title: 'Explain the severity of an alert or monitor',
  description:
    'Explains why an alert or a monitor (alert configuration) has its state and severity: the deployed version and whether it is confirmed, the releases that it was compared with and those that were excluded, the thresholds, and when the result changes next. Specify exactly one of the two IDs. Nothing is evaluated.',
  input: {
    alert_id: idInput('ID of an alert. See get_upgrade or list_software.').optional(),
    alert_config_id: idInput('ID of a monitor. See get_upgrade, list_software, or search.').optional(),
  },
  async run(context, { alert_id, alert_config_id }) {
    const { api } = context;
    if ((alert_id === undefined) === (alert_config_id === undefined))
      throw new ToolInputError('Specify exactly one of alert_id and alert_config_id.');
    const alert = alert_id === undefined ? null : await api.call('getAlert', { path: { id: alert_id } });
    const path = { id: alert?.alert_config_id ?? alert_config_id! };
    const [{ headers, body }, config] = await Promise.all([
      api.send('getAlertConfigExplanation', { path }),
      api.call('getAlertConfig', { path }),
    ]);
    const { explanation, deployed_unconfirmed, evaluated_at } = body;
    const { active_alert_id: activeAlert } = config;
    return {
      caveats: [
        ...(alert?.status === 'resolved'
          ? [
              `Alert ${alert.id} is resolved. The explanation is about the current state of its alert configuration.`,
            ]
          : []),
        ...(deployed_unconfirmed === null ? [] : [unconfirmedSentence(deployed_unconfirmed)]),
        ...(config.mirror_of === null
          ? []
          : [
              `The releases are those in a mirror of ${config.mirror_of}, which might lack newer releases of the original.`,
            ]),
      ],
      alert_config: withPageUrl(context, 'alert_config', { id: config.id, name: config.name }),
      state: config.state,
      state_reason: config.state_reason,
      severity: config.severity,
      deployed_version: config.deployed_version,
      deployed_unconfirmed,
      latest_version: config.latest_version,
      explanation: stateSentences(config, body, Date.parse(headers.get('date') ?? '')),
      excluded_releases: explanation?.left_out ?? [],
      vulnerabilities: explanation?.vulnerabilities?.findings ?? [],
      labels: config.effective_labels,
      alert: activeAlert === null ? null : { id: activeAlert, url: pageUrl(context, 'alert', activeAlert) },
      scrape_job: withPageUrl(context, 'scrape_job', config.scrape_job),
      gather_job: withPageUrl(context, 'gather_job', config.gather_job),
      rule: withPageUrl(context, 'rule', { ...config.rule, rule_type: config.rule_type }),
      crossed_at: config.crossed_at,
      evaluated_at,
      next_evaluation_at: config.next_evaluation_at,
    };
  },
});
