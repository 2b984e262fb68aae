return session:getApp().contacts[1].firstName
