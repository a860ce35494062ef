import { PageHeader } from '../../ui/page-header.tsx';

export default function NewNotificationRulePage() {
  return <PageHeader title="NewNotificationRule" />;
}
