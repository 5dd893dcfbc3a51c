/* SPDX-License-Identifier: MIT */
#include "execute/crew.h"

#include "unit.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

/* A driver that hands out jobs from a list, and ends when they are done. */
struct rig {
	struct crew *crew;
	struct crew_driver driver;
	struct crew_job **jobs;
	size_t count;
	size_t next;
	_Atomic size_t done;
	_Atomic int leaders; /* threads in next() at once */
	bool two_leaders;
};

static struct rig rig;
static sem_t held;

static struct crew_job *next(void *context)
{
	struct rig *r = context;
	struct crew_job *job = NULL;

	if (atomic_fetch_add(&r->leaders, 1))
		r->two_leaders = true;
	if (r->next < r->count) {
		job = r->jobs[r->next++];
	} else {
		while (atomic_load(&r->done) < r->count)
			usleep(1000);
	}
	atomic_fetch_sub(&r->leaders, 1);
	return job;
}

static void never(void *context)
{
	(void)context;
	CU_FAIL("the first leader is free, but was taken for stranded");
}

static void run(struct crew_job **jobs, size_t count, unsigned most)
{
	struct error error = ERROR_INIT;

	memset(&rig, 0, sizeof(rig));
	rig.jobs = jobs;
	rig.count = count;
	rig.driver = (struct crew_driver){ .next = next, .context = &rig };
	CU_ASSERT_EQUAL_FATAL(crew_new(most, &rig.crew, &error), STATUS_OK);
	crew_lead(rig.crew, &rig.driver, never);
	CU_ASSERT_EQUAL(atomic_load(&rig.done), count);
	CU_ASSERT_FALSE(rig.two_leaders);
	crew_free(rig.crew);
}

static void quick(struct crew_job *job)
{
	(void)job;
	atomic_fetch_add(&rig.done, 1);
}

static void wait_for_post(struct crew_job *job)
{
	(void)job;
	sem_wait(&held);
	atomic_fetch_add(&rig.done, 1);
}

static void post(struct crew_job *job)
{
	(void)job;
	sem_post(&held);
	atomic_fetch_add(&rig.done, 1);
}

static void runs_many_short_jobs(void)
{
	static struct crew_job jobs[1000], *list[1000];

	for (size_t i = 0; i < 1000; i++) {
		jobs[i].run = quick;
		list[i] = &jobs[i];
	}
	run(list, 1000, 4);
}

/* The first job waits for the second: that only ends when another thread takes the lead over. */
static void goes_on_while_a_job_takes_long(void)
{
	struct crew_job first = { .run = wait_for_post }, second = { .run = post };
	struct crew_job *list[] = { &first, &second };

	sem_init(&held, 0, 0);
	run(list, 2, 4);
}

static void goes_on_while_many_jobs_take_long(void)
{
	static struct crew_job jobs[20], *list[20];

	sem_init(&held, 0, 0);
	for (size_t i = 0; i < 20; i++) {
		jobs[i].run = i < 10 ? wait_for_post : post;
		list[i] = &jobs[i];
	}
	run(list, 20, 16);
}

static struct crew_job posted = { .run = post };

static void post_then_wait(struct crew_job *job)
{
	(void)job;
	crew_post(rig.crew, &posted);
	sem_wait(&held);
}

/* A job that was posted runs although the only thread that was started waits for it. */
static void runs_posted_jobs(void)
{
	struct crew_job first = { .run = post_then_wait };
	struct crew_job *list[] = { &first };

	sem_init(&held, 0, 0);
	run(list, 1, 4);
}

static sem_t stranded_said;
static struct crew_job never_back;

static void stay(struct crew_job *job)
{
	(void)job;
	atomic_fetch_add(&rig.done, 1);
	for (;;)
		pause();
}

static void say_stranded(void *context)
{
	(void)context;
	sem_post(&stranded_said);
}

static void *lead_and_stay(void *argument)
{
	(void)argument;
	crew_lead(rig.crew, &rig.driver, say_stranded);
	return NULL;
}

static void says_when_the_first_leader_is_held(void)
{
	static struct crew_job *list[] = { &never_back };
	struct error error = ERROR_INIT;
	pthread_t thread;

	memset(&rig, 0, sizeof(rig));
	never_back.run = stay;
	rig.jobs = list;
	rig.count = 1;
	rig.driver = (struct crew_driver){ .next = next, .context = &rig };
	sem_init(&stranded_said, 0, 0);
	CU_ASSERT_EQUAL_FATAL(crew_new(4, &rig.crew, &error), STATUS_OK);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, lead_and_stay, NULL), 0);
	CU_ASSERT_EQUAL(sem_wait(&stranded_said), 0);
	pthread_detach(thread);
}

static const struct unit_test tests[] = {
	UNIT_TEST(runs_many_short_jobs),
	UNIT_TEST(goes_on_while_a_job_takes_long),
	UNIT_TEST(goes_on_while_many_jobs_take_long),
	UNIT_TEST(runs_posted_jobs),
	UNIT_TEST(says_when_the_first_leader_is_held),
};

UNIT_MAIN("crew", tests)
