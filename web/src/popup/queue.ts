// The open questions that this page knows, in order. This file does not use the DOM.

import type { Past, Question, State, ToServer } from "./wire";

/** Asked is an open question, and what has become of it here. */
export interface Asked {
  question: Question;
  mine: boolean; // this page is the one to show it
  postponed: boolean; // by the person
  called: boolean; // the person was called for it
  reported: boolean; // the server knows that it is visible here
  replied: ToServer | undefined; // the answer of this page, which has no verdict yet
}

/** QuestionQueue holds the state that the server sent. */
export class QuestionQueue {
  #asked = new Map<string, Asked>(); // oldest first
  waiting = 0;
  history: readonly Past[] = [];

  /** update applies a state and returns the questions that are new here, and those that are over. */
  update({ order, questions, waiting, history }: State): { fresh: Asked[]; over: Asked[] } {
    const before = this.#asked;
    const sent = new Map(questions.map((question) => [question.id, question]));
    this.#asked = new Map();
    for (const { id, dialog: mine } of order) {
      const known = before.get(id);
      const question = sent.get(id) ?? known?.question;
      if (question === undefined) continue;
      const asked = known ?? { question, mine, postponed: false, called: false, reported: false, replied: undefined };
      this.#asked.set(id, Object.assign(asked, { question, mine }));
    }
    this.waiting = waiting;
    this.history = history;
    const without = (all: ReadonlyMap<string, Asked>, others: ReadonlyMap<string, Asked>): Asked[] =>
      [...all].flatMap(([id, asked]) => (others.has(id) ? [] : [asked]));
    return { fresh: without(this.#asked, before), over: without(before, this.#asked) };
  }

  /** all are the open questions, oldest first. */
  get all(): Asked[] {
    return [...this.#asked.values()];
  }

  get(id: string): Asked | undefined {
    return this.#asked.get(id);
  }

  /** current is the question to show, if any. */
  get current(): Asked | undefined {
    return this.all.find(({ mine, postponed }) => mine && !postponed);
  }

  /** outcome returns how a question ended, if that is known. */
  outcome(id: string): Past | undefined {
    return this.history.find((past) => past.id === id);
  }
}
