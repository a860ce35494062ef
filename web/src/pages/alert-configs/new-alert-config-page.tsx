import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AlertConfigForm } from './alert-config-form.tsx';

export default function NewAlertConfigPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/alert-configs/new' });
  const create = useAction('createAlertConfig', { quiet: true, done: 'Monitor created' });
  return (
    <>
      <PageHeader
        title="New monitor"
        parent={{ to: '/alert-configs', title: 'Monitors' }}
        about="Compare a deployed version with upstream releases."
      />
      <AlertConfigForm
        start={{
          scrape_job_id: idOf(search['scrape_job_id']),
          gather_job_id: idOf(search['gather_job_id']),
          rule_id: idOf(search['rule_id']),
        }}
        submit="Create monitor"
        save={async (body) => {
          const config = await create.mutateAsync({ body });
          await navigate(resourceLink('alert_config', config.id));
        }}
        onCancel={() => void navigate({ to: '/alert-configs' })}
      />
    </>
  );
}

const idOf = (text: string | undefined): number | null =>
  /^[1-9]\d*$/.test(text ?? '') ? Number(text) : null;
