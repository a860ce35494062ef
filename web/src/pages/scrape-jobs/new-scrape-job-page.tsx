import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { resourceLink } from '../../components/resource-link.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrapeJobForm } from './scrape-job-form.tsx';

export default function NewScrapeJobPage() {
  const navigate = useNavigate();
  const create = useAction('createScrapeJob', { quiet: true, done: 'Version tracker created' });
  return (
    <>
      <PageHeader
        title="New version tracker"
        parent={{ to: '/scrape-jobs', title: 'Version trackers' }}
        about="Track the deployed version of one component."
      />
      <ScrapeJobForm
        submit="Create version tracker"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate(resourceLink('scrape_job', job.id));
        }}
        onCancel={() => void navigate({ to: '/scrape-jobs' })}
      />
    </>
  );
}
